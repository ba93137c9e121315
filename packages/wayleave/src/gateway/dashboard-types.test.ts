import type { Overview, PolicyInForce, ShownViolation } from '@wayleave/gateway';
import { expectTypeOf, it } from 'vitest';
import type { Policy, Overview as ShownOverview, Violation } from '../../../../apps/dashboard/src/data.ts';

// The dashboard is a web page: it can import none of the gateway's types, whose modules need Node, and declares what it
// reads. `npm run types` compares both.

it('U2-46: the gateway gives everything that the dashboard reads', () => {
	expectTypeOf<Overview>().toExtend<ShownOverview>();
	expectTypeOf<ShownViolation>().toExtend<Violation>();
	expectTypeOf<PolicyInForce>().toExtend<Policy>();
});
