/** Checks of an operation's arguments. A failed one throws LabError 'internal', naming operation and tensor. */
import { LabError } from '../../foundation/errors';
import type { ElementType, ParameterView, Rows, Sequences, Tensor } from '../backend';
import { OUTCOME_COLUMNS } from '../columns';
import { type Heads, type HeadWidths, headWidths } from '../heads';
import { GRADIENT_CHUNK, HYPER_COLUMNS, ROW_FIELDS } from '../layout';
import type { Batch } from '../operations/batch';

/** A check for every operation of a group, called with the operation's own arguments. */
export type ChecksOf<Group> = {
  readonly [K in keyof Group]: Group[K] extends (...args: infer A) => void ? (check: Check, ...args: A) => void : never;
};

export class Check {
  readonly operation: string;
  readonly members: number;

  constructor(operation: string, members: number) {
    this.operation = operation;
    this.members = members;
  }

  require(condition: boolean, problem: string): void {
    if (condition) return;
    throw new LabError('internal', `${this.operation}: ${problem}.`, 'Please report this with the link.');
  }

  /** A tensor that is only read: this population's, or shared by its members. */
  input(tensor: Tensor, type: ElementType, stride: number): void {
    const { label, members } = tensor;
    this.require(tensor.type === type, `"${label}" holds ${tensor.type}, needed is ${type}`);
    this.require(members === 1 || members === this.members, `"${label}" has ${members} members of ${this.members}`);
    this.require(tensor.stride === stride, `"${label}" has ${tensor.stride} elements a member, needed are ${stride}`);
  }

  /** A tensor that is written: each member has its own part. */
  output(tensor: Tensor, type: ElementType, stride: number): void {
    this.input(tensor, type, stride);
    this.own(tensor);
  }

  own(tensor: Tensor): void {
    const { label, members } = tensor;
    this.require(members === this.members, `"${label}" is written but has ${members} members of ${this.members}`);
  }

  atLeast(tensor: Tensor, stride: number): void {
    this.require(tensor.stride >= stride, `"${tensor.label}" has ${tensor.stride} elements a member, needs ${stride}`);
  }

  multipleOf4(value: number, what: string): void {
    this.require(Number.isInteger(value / 4) && value > 0, `${what} is ${value}, not a multiple of 4`);
  }

  rows(rows: Rows): void {
    this.input(rows.table, 'u32', rows.capacity * ROW_FIELDS);
    this.input(rows.count, 'u32', 1);
  }

  sequences(rows: Sequences): void {
    this.rows(rows);
    this.input(rows.start, 'u32', rows.sequences + 1);
  }

  /** A parameter of the given number of dimensions and of any type; returns its shape. */
  weight(view: ParameterView, dimensions: 1 | 2 = 2): [number, number] {
    const { tensor, offset, shape } = view;
    this.input(tensor, tensor.type, tensor.stride);
    this.require(shape.length === dimensions, `a parameter in "${tensor.label}" has shape [${shape}]`);
    this.require(offset % 4 === 0 && tensor.stride % 4 === 0, `"${tensor.label}" has a parameter not aligned to 4`);
    const size = shape.reduce((a, b) => a * b, 1);
    this.require(offset + size <= tensor.stride, `"${tensor.label}" ends before its parameter [${shape}] at ${offset}`);
    const [first = 0, second = 1] = shape;
    this.multipleOf4(dimensions === 1 ? first : second, `the last axis of a parameter in "${tensor.label}"`);
    return [first, second];
  }

  /** The same of a parameter that has to be float32. */
  parameter(view: ParameterView, dimensions: 1 | 2): [number, number] {
    this.input(view.tensor, 'f32', view.tensor.stride);
    return this.weight(view, dimensions);
  }

  /** partials [P, chunks, N] that a gradient of `view` is written into. */
  partials(partials: Tensor<'f32'>, rows: Sequences, view: ParameterView): void {
    this.output(partials, 'f32', partials.stride);
    this.atLeast(partials, Math.ceil(rows.sequences / GRADIENT_CHUNK) * view.tensor.stride);
  }

  /** Heads; returns the widths of their row. */
  heads(heads: Heads): HeadWidths {
    const { queries, keys, width } = heads;
    this.multipleOf4(width, 'the width of a head');
    this.require(keys > 0 && queries % keys === 0, `${queries} heads do not share ${keys} heads of keys`);
    return headWidths(heads);
  }

  vocabulary(legalSets: Tensor<'u32'>, hyper: Tensor<'f32'>, vocabulary: number): void {
    this.multipleOf4(vocabulary, 'the vocabulary');
    const words = Math.ceil(vocabulary / 32);
    this.input(legalSets, 'u32', legalSets.stride);
    this.require(legalSets.stride > 0 && legalSets.stride % words === 0, `"${legalSets.label}" is no list of sets`);
    this.input(hyper, 'f32', HYPER_COLUMNS);
  }

  hyper(hyper: Tensor<'f32'>): void {
    this.input(hyper, 'f32', HYPER_COLUMNS);
  }

  /** Tensors that describe a batch. */
  batch(batch: Batch): void {
    const { trajectories, context, groups } = batch;
    this.input(batch.roles, 'u32', trajectories * context);
    this.input(batch.groupStart, 'u32', groups + 1);
    this.input(batch.outcomes, 'f32', trajectories * OUTCOME_COLUMNS);
  }

  /** Tensors [P,B,T] that are only read. */
  dense(batch: Batch, ...tensors: readonly Tensor<'f32'>[]): void {
    for (const tensor of tensors) this.input(tensor, 'f32', batch.trajectories * batch.context);
  }
}
