/** Constants that scripts/wasm.mjs writes for the compiler: byte offsets of hyperparameter columns, and the numbers of roles. */
export declare class Column {
  static readonly [name: string]: usize;
}

export declare class Role {
  static readonly [name: string]: u32;
}

export declare const ROLES: u32;

/** True for a token that the policy drew. */
export declare function isDrawn(role: u32): bool;
