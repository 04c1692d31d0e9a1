/** Functions that printed PyTorch calls; those that a text uses are printed above it. */

const HELPERS = {
  smaller: `
def smaller(a, b):
    """The smaller, element by element; a tie's slope goes to a alone, where torch.minimum would halve it."""
    return torch.where((a <= b) | (a != a), a, b)
`,
  larger: `
def larger(a, b):
    """The larger, element by element; a tie's slope goes to a alone."""
    return torch.where((a >= b) | (a != a), a, b)
`,
  Steep: `
class Steep(torch.autograd.Function):
    """f, whose slope may be infinite where its result is not used: from there, 0 comes back and not 0 * inf."""

    @staticmethod
    def forward(ctx, f, *given):
        ctx.f = f
        ctx.save_for_backward(*given)
        return f(*given)

    @staticmethod
    def backward(ctx, arriving):
        with torch.enable_grad():
            given = [x.detach().requires_grad_() for x in ctx.saved_tensors]
            value = ctx.f(*given)
            slopes = torch.autograd.grad(value, given, torch.ones_like(value))
        return (None, *(torch.where(arriving == 0, torch.zeros_like(slope), arriving * slope) for slope in slopes))
`,
  steep: `
def steep(f, *given):
    like = next(x for x in given if torch.is_tensor(x))
    tensors = [torch.as_tensor(x, dtype=like.dtype, device=like.device) for x in given]
    return Steep.apply(f, *torch.broadcast_tensors(*tensors))
`,
  sum_over: `
def sum_over(x, to, n):
    """Sums of x by where each element belongs to, [n]."""
    return torch.zeros(n, dtype=x.dtype, device=x.device).index_add(0, to, x)
`,
  count_over: `
def count_over(x, to, n):
    """How many elements belong to each of n."""
    return torch.bincount(to, minlength=n).to(x.dtype)
`,
  mean_over: `
def mean_over(x, to, n):
    """Means; that of nothing is 0."""
    return sum_over(x, to, n) / count_over(x, to, n).clamp(min=1)
`,
  mean_of: `
def mean_of(x):
    """Mean over the tokens, held fixed; that of nothing is 0: a micro-batch may have none of its own."""
    return x.detach().sum() / max(x.numel(), 1)
`,
  std_over: `
def std_over(x, to, n):
    """Deviations of samples (n - 1): 0, with slope 0, for fewer than two or for equal ones."""
    off = x - mean_over(x, to, n)[to]
    variance = sum_over(off * off, to, n) / (count_over(x, to, n) - 1).clamp(min=1)
    is_spread = variance > 0
    return torch.where(is_spread, torch.where(is_spread, variance, 1.0).sqrt(), 0.0)
`,
  first_over: `
def first_over(x, best, to, n):
    """Of each of n the first of its elements that is the best one (or NaN); 0 of nothing."""
    last = torch.full((n,), len(x), device=x.device)
    places = torch.arange(len(x), device=x.device).where((x == best[to]) | (x != x), last.new_tensor(len(x)))
    first = last.scatter_reduce(0, to, places, "amin")
    return torch.cat([x, x.new_zeros(1)])[first]
`,
  min_over: `
def min_over(x, to, n):
    """The smallest; of equal ones the first has the slope."""
    return first_over(x, x.new_full((n,), math.inf).scatter_reduce(0, to, x.detach(), "amin"), to, n)
`,
  max_over: `
def max_over(x, to, n):
    """The largest; of equal ones the first has the slope."""
    return first_over(x, x.new_full((n,), -math.inf).scatter_reduce(0, to, x.detach(), "amax"), to, n)
`,
  to_go: `
def to_go(x, gamma, trajectory, turn):
    """Of each turn the discounted sum over it and the later turns of its trajectory."""
    sums = list((x + torch.zeros_like(turn)).unbind())
    for i in range(len(sums) - 2, -1, -1):
        if trajectory[i] == trajectory[i + 1]:
            sums[i] = sums[i] + gamma ** (turn[i + 1] - turn[i]) * sums[i + 1]
    return torch.stack(sums) if sums else turn
`,
  turns_of: `
def turns_of(own):
    """Numbers of the turns, from 0: each begins at an own token that follows one of another kind."""
    before = torch.nn.functional.pad(own, (1, 0))[:, :-1]
    return (own & ~before).cumsum(-1) - 1
`,
  turn_sums: `
def turn_sums(x, own):
    """For each token the sum of x over its turn and what follows it, up to the next turn."""
    turn = turns_of(own)
    at = turn.clamp(min=0)
    return torch.zeros_like(x).scatter_add(-1, at, x * (turn >= 0)).gather(-1, at)
`,
} as const;

export type Helper = keyof typeof HELPERS;

const NEEDS: Partial<Readonly<Record<Helper, readonly Helper[]>>> = {
  steep: ['Steep'],
  mean_over: ['sum_over', 'count_over'],
  std_over: ['mean_over'],
  min_over: ['first_over'],
  max_over: ['first_over'],
  turn_sums: ['turns_of'],
};

export const HELPER_NAMES = Object.keys(HELPERS) as readonly Helper[];

/** Source of the helpers and of those they call. */
export function helperSource(wanted: Iterable<Helper>): string {
  const all = new Set<Helper>();
  const add = (one: Helper): void => {
    all.add(one);
    for (const need of NEEDS[one] ?? []) add(need);
  };
  for (const one of wanted) add(one);
  return HELPER_NAMES.filter((name) => all.has(name))
    .map((name) => `${HELPERS[name]}\n`)
    .join('');
}
