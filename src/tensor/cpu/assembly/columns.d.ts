/** Constants that scripts/wasm.mjs writes for the compiler: bounds, byte offsets of hyperparameter columns, numbers of roles. */
export declare class Bound {
  static readonly [name: string]: f32;
}

export declare class Column {
  static readonly [name: string]: usize;
}

export declare class Role {
  static readonly [name: string]: u32;
}

export declare const ROLES: u32;

/** True for a token that the policy drew. */
export declare function isDrawn(role: u32): bool;
