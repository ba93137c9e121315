import { Badge, cut } from '../ui/index.ts';
import { pageOfSom } from './som-page.ts';

/** A path as people read it: a request to the SOM endpoint shows the page that it asked for. */
export function PathText({ path, site = '' }: { path: string; site?: string | undefined }) {
	const page = pageOfSom(path, site);
	if (page === undefined) return <code>{cut(path, 100)}</code>;
	return (
		<>
			<code title={path}>{cut(page, 100)}</code> <Badge tone="info">SOM</Badge>
		</>
	);
}
