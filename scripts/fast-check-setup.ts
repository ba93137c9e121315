import fc from 'fast-check';

// The same cases on every run, so that a red build is a change of the code and not of the dice.
// FC_SEED=anything (or FC_SEED=random) looks elsewhere.
const wanted = process.env.FC_SEED;
if (wanted !== 'random') fc.configureGlobal({ seed: wanted === undefined ? 20_261_128 : Number(wanted) });
