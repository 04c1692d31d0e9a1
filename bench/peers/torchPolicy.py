"""
Policy of the comparisons in PyTorch, for one thread: a pre-norm GPT over packed rows of tokens. All parameters are views of
one vector, and all gradients of another, so the optimiser and the clipping are a few operations whatever the depth.

Batched products of attention go through NumPy, which calls the same BLAS: without MKL, torch.bmm spends microseconds on every
matrix of a batch, and these matrices take less than one.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F

EPSILON = 1e-5
"""Number added to the variance in a layer norm."""
HIDDEN = -1e9
"""Score of a position that must not be seen."""


def heads_of(rows, length, heads, parts=3):
    """Arrays [B, H, T, D] of the parts (queries, keys, values) of rows [B·T, parts·C], without a copy."""
    split = rows.detach().numpy().reshape(-1, length, parts, heads, rows.shape[1] // (parts * heads))
    return [split[:, :, part].swapaxes(1, 2) for part in range(parts)]


def hidden_after(length, seen):
    """Table [T, S] that hides from each of the last T of S positions what comes later."""
    return torch.full((length, seen), HIDDEN).triu_(1 + seen - length)


def attend(q, k, v, mixed, hidden):
    """Writes softmax(q·kᵀ/√D + hidden)·v into mixed: arrays [B, H, T, D] with any strides. Returns the weights."""
    scores = torch.from_numpy(np.matmul(q, k.swapaxes(-1, -2)))
    weights = torch.softmax(scores.mul_(1 / math.sqrt(q.shape[-1])).add_(hidden), -1)
    np.matmul(weights.numpy(), v, out=mixed)
    return weights


class Attention(torch.autograd.Function):
    """
    Causal attention of packed trajectories: qkv [R, 3C] → [R, C]. Those of equal length stand together, a block of rows
    (first, last, length) each, so nothing is padded.
    """

    @staticmethod
    def forward(ctx, qkv, blocks, heads):
        mixed = torch.empty(qkv.shape[0], qkv.shape[1] // 3)
        ctx.save_for_backward(qkv)
        ctx.blocks, ctx.heads, ctx.weights = blocks, heads, []
        for first, last, length in blocks:
            q, k, v = heads_of(qkv[first:last], length, heads)
            (out,) = heads_of(mixed[first:last], length, heads, 1)
            ctx.weights.append(attend(q, k, v, out, hidden_after(length, length)))
        return mixed

    @staticmethod
    def backward(ctx, d_mixed):
        (qkv,) = ctx.saved_tensors
        d_qkv = torch.empty_like(qkv)
        for (first, last, length), weights in zip(ctx.blocks, ctx.weights):
            q, k, v = heads_of(qkv[first:last], length, ctx.heads)
            d_q, d_k, d_v = heads_of(d_qkv[first:last], length, ctx.heads)
            (d_out,) = heads_of(d_mixed[first:last], length, ctx.heads, 1)
            np.matmul(weights.numpy().swapaxes(-1, -2), d_out, out=d_v)
            d_weights = torch.from_numpy(np.matmul(d_out, v.swapaxes(-1, -2)))
            d_scores = torch._softmax_backward_data(d_weights, weights, -1, torch.float32)
            d_scores = d_scores.mul_(1 / math.sqrt(q.shape[-1])).numpy()
            np.matmul(d_scores, k, out=d_q)
            np.matmul(d_scores.swapaxes(-1, -2), q, out=d_k)
        return d_qkv, None, None


class Gelu(torch.autograd.Function):
    """x·σ(x·(A + B·x²)), the tanh form: F.gelu takes a slow tanh, and three times as long."""

    A = 2 * math.sqrt(2 / math.pi)
    B = 0.044715 * A

    @staticmethod
    def forward(ctx, x):
        gate = (x * x).mul_(Gelu.B).add_(Gelu.A).mul_(x).sigmoid_()
        ctx.save_for_backward(x, gate)
        return x * gate

    @staticmethod
    def backward(ctx, d_out):
        x, gate = ctx.saved_tensors
        slope = (x * x).mul_(3 * Gelu.B).add_(Gelu.A).mul_(x)
        return slope.mul_(1 - gate).add_(1).mul_(gate).mul_(d_out)


class Policy:
    """Parameters by name, as layers of the form [in, out]."""

    def __init__(self, shape, layout, values):
        self.width, self.heads, self.layers = shape["width"], shape["heads"], shape["layers"]
        self.activate = F.relu_ if shape["activation"] == "relu" else Gelu.apply
        self.vector = torch.from_numpy(values.copy())
        self.gradient = torch.zeros_like(self.vector)
        self.vector.grad = self.gradient
        self.parameters = {}
        for name, (offset, dimensions) in layout.items():
            end = offset + math.prod(dimensions)
            leaf = self.vector[offset:end].view(dimensions).detach().requires_grad_()
            leaf.grad = self.gradient[offset:end].view(dimensions)
            self.parameters[name] = leaf

    def __getitem__(self, name):
        return self.parameters[name]

    def linear(self, x, name):
        return torch.addmm(self[f"{name}.bias"], x, self[f"{name}.weight"])

    def norm(self, x, name):
        return F.layer_norm(x, (self.width,), self[f"{name}.gamma"], self[f"{name}.beta"], EPSILON)

    def trunk(self, tokens, positions, attention):
        """Final hidden state [R, C] of tokens [R] at positions [R]; attention(layer, qkv [R, 3C]) → [R, C]."""
        x = F.embedding(tokens, self["tokens"]) + F.embedding(positions, self["positions"])
        for layer in range(self.layers):
            name = f"layer{layer}"
            qkv = self.linear(self.norm(x, f"{name}.attentionNorm"), f"{name}.qkv")
            x = x + self.linear(attention(layer, qkv), f"{name}.projection")
            up = self.linear(self.norm(x, f"{name}.feedForwardNorm"), f"{name}.up")
            x = x + self.linear(self.activate(up), f"{name}.down")
        return self.norm(x, "finalNorm")
