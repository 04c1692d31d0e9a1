/** Identifiers of a printed formula: the text's own names, unless WGSL or the module itself has a use for the word. */
import { LIBRARY_WORDS } from './library';

/** Keywords and reserved words (WGSL, sections 15.1 and 15.2), and those of its own names that a module uses. */
const WORDS = `
alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop
override requires return struct switch true var while

NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become binding_array cast catch
class co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval
constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends
extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import
inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil
noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset
partition pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register
reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast std
subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union unless unorm
unsafe unsized use using varying virtual volatile wgsl where with writeonly yield

abs array atomic bitcast bool exp f16 f32 floor i32 log mat2x2 ptr sampler select sqrt texture_1d u32 vec2 vec3 vec4 vec2f
vec3f vec4f vec2u vec3u vec4u
`;

/** Names of one function: a value of an outer block keeps its name in the blocks inside. */
export class Names {
  readonly #taken: Set<string>;

  /** `own`: text of the module that names must not disturb. */
  constructor(own: string) {
    this.#taken = new Set([...WORDS.split(/\s+/), ...LIBRARY_WORDS, ...(own.match(/[A-Za-z_]\w*/g) ?? [])]);
  }

  /** The name itself if it is free, else the nearest one that is. */
  fresh(wanted: string): string {
    // Two underscores at the front, and one alone, are reserved.
    const base = wanted.replace(/^_+/, '') || 'x';
    let name = base;
    for (let i = 2; this.#taken.has(name); i++) name = `${base}_${i}`;
    this.#taken.add(name);
    return name;
  }
}
