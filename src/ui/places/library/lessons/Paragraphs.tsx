export function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <p key={text} className="measure">
      {text}
    </p>
  ));
}
