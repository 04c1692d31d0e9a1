/** Expectation of a preset. It loads alone: the page needs no expectations before a run. */
import { EXPECTATIONS } from '../../../../experiment/presets/expectations/expectations';

export const Expected = ({ preset }: { preset: string }) => <p>{EXPECTATIONS[preset]}</p>;
