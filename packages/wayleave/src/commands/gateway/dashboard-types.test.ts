import type {
	AskCount,
	BrokenRule,
	Comparison,
	Compliance,
	CountedOverview,
	PathCount,
	PolicyInForce,
	Preview,
	Referrals,
	Savings,
	ShownRequest,
	StudioState,
	Switched,
	Traffic,
} from '@wayleave/gateway';
import { expectTypeOf, it } from 'vitest';
import type * as shown from '../../../../../apps/dashboard/src/site/data.ts';
import type * as studio from '../../../../../apps/dashboard/src/studio/data.ts';

// The dashboard is a web page: it can import none of the gateway's types, whose modules need Node, and declares what it
// reads. `npm run types` compares both.

it('U2-46: the gateway gives everything that the dashboard reads', () => {
	expectTypeOf<CountedOverview>().toExtend<shown.Overview>();
	expectTypeOf<Compliance>().toExtend<shown.AgentDetails>();
	expectTypeOf<Traffic>().toExtend<shown.Traffic>();
	expectTypeOf<AskCount>().toExtend<shown.AskCount>();
	expectTypeOf<Savings>().toExtend<shown.Savings>();
	expectTypeOf<Referrals>().toExtend<shown.Referrals>();
	expectTypeOf<ShownRequest>().toExtend<shown.RecordedRequest>();
	expectTypeOf<BrokenRule>().toExtend<shown.BrokenRule>();
	expectTypeOf<PathCount>().toExtend<shown.PathCount>();
	expectTypeOf<PolicyInForce>().toExtend<shown.Policy>();
});

it('the studio gives everything that its page reads', () => {
	expectTypeOf<StudioState>().toExtend<studio.StudioState>();
	expectTypeOf<Preview>().toExtend<studio.Preview>();
	expectTypeOf<Switched>().toExtend<studio.Switched>();
	expectTypeOf<Comparison>().toExtend<studio.Comparison>();
});
