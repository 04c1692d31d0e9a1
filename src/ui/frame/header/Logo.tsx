/** Three tokens: one that learns, one veiled, one lit. */
export function Logo() {
  return (
    <span className="logo heading line inline">
      <span className="logo-tokens inline" aria-hidden="true">
        <span className="chip-policy" />
        <span className="chip-veiled" />
        <span className="chip-predict" />
      </span>
      <span className="logo-word">Unmask</span>
    </span>
  );
}
