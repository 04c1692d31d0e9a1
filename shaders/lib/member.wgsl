// Member of a workgroup: z, in a dispatch for some of the members from the first of them on. Offsets of a tensor that
// is bound in part count from where the part begins, modulo 2 to the power of 32.
fn memberOf(group: vec3u) -> u32 { return params.firstMember + group.z; }
