import React, { useState } from "react";

type Props = { title: string; onClose?: () => void };

// A panel that can be folded.
export function Panel({ title, onClose }: Props) {
  const [open, setOpen] = useState(true);
  const toggle = () => {
    setOpen(!open);
  };

  return (
    <section className="panel">
      <h2 onClick={toggle}>{title}</h2>
      {open && (
        <button onClick={() => onClose?.()}>Close</button>
      )}
    </section>
  );
}

export const Badge: React.FC<{ count: number }> = ({ count }) => (
  <span className="badge">{format(count, "short", true)}</span>
);

export default class Page extends React.Component {
  render() {
    return <Panel title="Page" />;
  }
}
