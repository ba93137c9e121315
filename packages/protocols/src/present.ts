/** Makes properties that can be undefined optional. */
type Present<All> = {
	[Key in keyof All as undefined extends All[Key] ? never : Key]: All[Key];
} & {
	[Key in keyof All as undefined extends All[Key] ? Key : never]?: Exclude<All[Key], undefined>;
};

/** The members that have a value, in their order. */
export function present<All extends object>(all: All): Present<All> {
	const found: Record<string, unknown> = {};
	for (const key in all) if (all[key] !== undefined) found[key] = all[key];
	return found as Present<All>;
}
