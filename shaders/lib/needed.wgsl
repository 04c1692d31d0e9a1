// #include "lib/layout.wgsl"
// #include "lib/hyper.wgsl"
// Targets whose log-prob is computed: action, observation and warning rows always, prompt rows when they carry a loss.
fn isNeeded(member: u32, role: u32) -> bool {
  return (isTarget(role) && role != ROLE_PROMPT) || (role == ROLE_PROMPT &&
    (hyperOf(member, HYPER_POLICY_GRADIENT) != 0.0 || hyperOf(member, HYPER_CROSS_ENTROPY) != 0.0));
}
