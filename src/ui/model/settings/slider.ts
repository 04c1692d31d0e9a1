/** Conversion between a setting's value and its slider's position, on a linear or a logarithmic scale. */
import type { NumberSetting } from '../../../experiment/settings/setting';

export interface SliderRange {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** Range of a slider. On a log scale it moves in whole steps, each a factor of `step`. */
export function sliderRange({ soft: [low, high], scale, step }: NumberSetting): SliderRange {
  if (scale === 'linear') return { min: low, max: high, step };
  return { min: 0, max: Math.ceil(Math.log(high / low) / Math.log(step) - 1e-9), step: 1 };
}

/** Values outside of the slider's range stand at its ends. */
export function toSlider({ soft: [low, high], scale, step }: NumberSetting, value: number): number {
  const within = Math.min(high, Math.max(low, value));
  return scale === 'linear' ? within : Math.round(Math.log(within / low) / Math.log(step));
}

/** Rounded to what is worth reading: the step's digits, or two significant ones on a log scale. */
export function fromSlider({ soft: [low, high], scale, step }: NumberSetting, position: number): number {
  if (scale === 'linear') {
    const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9) + (String(step).endsWith('5') ? 1 : 0));
    return Number(position.toFixed(Math.min(12, digits)));
  }
  return Number(Math.min(high, low * step ** position).toPrecision(2));
}
