// Documents, what their sites ask for, and why there are none.
// Usage: npx tsx examples/client/client.ts SERVICE URL...
import { createClient, ServiceProblem } from '@wayleave/service/client';

const [service = 'http://127.0.0.1:8700', ...urls] = process.argv.slice(2);
const key = process.env.WAYLEAVE_KEY;
const client = createClient({ url: service, ...(key === undefined ? {} : { key }) });

// One page. A refusal comes with the line of the file that says so.
try {
	const { document, policy } = await client.result(urls[0] ?? 'https://example.com/');
	console.log(document.identity.title, `(${document.cache.status})`);
	console.log('the site asks:', policy?.obligations ?? 'nothing');
} catch (error) {
	if (!(error instanceof ServiceProblem)) throw error;
	console.log(
		error.code,
		error.problem.evidence?.map(({ source, line, text }) => `${source}:${line} ${text}`),
	);
}

// Many pages, each as soon as it is there.
for await (const { url, document, problem } of client.documents(urls)) {
	console.log(url, document?.content.markdown.length ?? problem?.code);
}
