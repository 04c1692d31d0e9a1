/** Constants that scripts/wasm.mjs writes for the compiler: byte offsets of hyperparameter columns, and the numbers of roles. */
export declare class Column {
  static readonly [name: string]: usize;
}

export declare class Role {
  static readonly [name: string]: u32;
}
