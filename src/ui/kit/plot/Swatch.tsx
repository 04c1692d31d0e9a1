/** Short piece of a chart's line, before its name. */
export function Swatch({ stroke, dash = '' }: { readonly stroke: string; readonly dash?: string }) {
  return (
    <svg width="24" height="8" viewBox="0 0 24 8" aria-hidden="true">
      <line x1="0" x2="24" y1="4" y2="4" stroke={stroke} strokeDasharray={dash} strokeWidth="2" />
    </svg>
  );
}
