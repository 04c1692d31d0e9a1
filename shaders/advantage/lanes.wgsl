// Threads of a workgroup whose lanes meet at barriers. Few: software WebGPU keeps a stack for every four of them, and
// there are workgroups enough for a GPU, one a trajectory and member.
const LANES = 8u;
