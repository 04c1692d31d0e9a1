/** A part of the page that may fail alone: its place is then empty, a message says so, and the run and the rest of the page go on. */
import { Component, type ReactNode } from 'react';
import { reportMissing } from './missing';

interface Props {
  /** The part, as a sentence begins: `The tour`. */
  readonly what: string;
  /** Called before the part is drawn again. */
  readonly onAgain?: () => void;
  /** Content shown in the part's place while it fails; nothing unless given. */
  readonly otherwise?: ReactNode;
  readonly children: ReactNode;
}

export class Boundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };
  #forget = (): void => {};

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(cause: unknown): void {
    this.#forget = reportMissing(this.props.what, cause, () => {
      this.#forget();
      this.props.onAgain?.();
      this.setState({ failed: false });
    });
  }

  override componentWillUnmount(): void {
    this.#forget();
  }

  override render(): ReactNode {
    return this.state.failed ? (this.props.otherwise ?? null) : this.props.children;
  }
}
