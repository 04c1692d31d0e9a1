// Threads of a workgroup whose lanes meet at barriers. Few, because software WebGPU keeps a stack for every four of
// them; a GPU still has workgroups enough, one for each trajectory and member.
const LANES = 8u;
