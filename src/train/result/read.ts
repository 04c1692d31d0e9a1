/** A result that was written as JSON. */
import * as v from 'valibot';

const CurveSchema = v.record(v.string(), v.array(v.nullable(v.number())));

/** result.json of a run, or the file of all numbers that the page saves. */
const ResultSchema = v.object({
  experiment: v.unknown(),
  arms: v.array(v.object({ id: v.string(), seeds: v.array(v.object({ seed: v.number(), curve: CurveSchema })) })),
});

/** Experiment, unchecked, and curves of a file. Throws ValiError for anything else. */
export const readCurvesJson = (json: unknown): v.InferOutput<typeof ResultSchema> => v.parse(ResultSchema, json);
