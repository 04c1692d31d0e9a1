/** Parts that the losses registered with several projects share. */
import type { InputName } from '../vocabulary';
import type { Project } from './targets';
import type { TorchTokenLoss } from './tokenLoss';

/** Inputs that all of them have: their own tokens are the policy's. */
export const common = (logp: string): Project['inputs'] => ({
  logp,
  is_action: `torch.ones_like(${logp})`,
  is_thought: `torch.zeros_like(${logp})`,
  is_observation: `torch.zeros_like(${logp})`,
  turn: 'turns_of(own)',
  turns: `(turns_of(own).amax(-1) + 1).to(${logp}.dtype)`,
  position: `torch.arange(own.shape[-1], device=own.device).expand(own.shape)`,
});

/** Keyword arguments of token_loss that carry the parameters on. */
export const passed = ({ parameters }: TorchTokenLoss): string =>
  parameters.map(({ name }) => `, ${name}=${name}`).join('');

export const defaults = ({ parameters }: TorchTokenLoss): string =>
  parameters.map(({ name, parameter }) => `, ${name}=${parameter.default}`).join('');

export const readsSampler = (reads: ReadonlySet<InputName>): boolean => reads.has('sampler_logp');
