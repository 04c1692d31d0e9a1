import { formatMeasured } from '../../../../kit/format';

/** A measured number; a dash where there is none. */
export const written = (value: number): string => (Number.isNaN(value) ? '–' : formatMeasured(value));
