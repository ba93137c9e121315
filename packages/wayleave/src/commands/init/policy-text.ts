import { vocabularies } from '@wayleave/protocols/policy';
import { stringify } from 'yaml';
import type { Answers } from './answers.ts';

const vocabularyOptions = vocabularies.flatMap(({ publish }) => publish?.option ?? []);

/** A policy file that says what was answered, with a word on everything that can be changed. */
export function policyText(answers: Answers): string {
	const { origin, searchEngines, assistants, train, store, attribution, rate, disallow, som, reportTo } = answers;
	const { manifest, trustedProxies } = answers;
	return `# The terms of this site for AI agents, from which Wayleave writes every vocabulary that agents read.
# All keys and values: docs/reference/policy-file.md

origin: ${quoted(origin)}

# Who may fetch what. Paths as in robots.txt: * stands for anything, a final $ for the end.
paths:
  disallow: ${list(disallow)}
  # Agents by name:
  # agents: { GPTBot: { disallow: ["/"] } }

# What may be done with pages: yes, no or ask; quote: yes, no or short-only; store: yes, no or session-only.
policy:
  crawl: yes
  read: ${assistants}
  summarise: ${assistants}
  quote: short-only
  derivative: no
  train: ${train}
  store: ${store}
  personalise: no
  monetise: no
  attribution: ${attribution}
  link-back: preferred

# Agents by category. A value here replaces the value above.
categories:
  search-indexer: ${searchEngines === 'yes' ? '{ crawl: yes, read: yes, store: yes }' : '{ crawl: no }'}
  # data-harvester: { crawl: no }
${train === 'ask' ? askText : ''}
# Requests per minute for one client. Search engines limit their own rate, and drop pages of a site that refuses them for
# long. The limit is also announced, as Crawl-delay in robots.txt and as rate in robots2.txt.
${rate === undefined ? '# rate: { default: 60 }' : `rate: { default: ${rate} }`}
${som === 'yes' ? somText : noSomText}
# A manifest of changes, for agents that fetch only changed pages: /.well-known/pagedigest.json.
${manifest === 'yes' ? '' : '# '}pagedigest: { state: ./.wayleave/revisions.db }

# Paths that no client visits if it follows the rules. Each visit is recorded as a violation.
# honeypots: ["/api/export"]

# Reverse proxies and CDNs in front of the gateway. Only these may pass the client address, in the header field named by
# header: X-Forwarded-For, CF-Connecting-IP.
${trustedProxies.length > 0 ? `identity: { trustedProxies: ${list(trustedProxies)} }` : '# identity: { trustedProxies: ["10.0.0.0/8"], header: X-Forwarded-For }'}

# Where violations may be reported: an e-mail address or a URL.
reportTo: ${list(reportTo === '' ? [] : [reportTo])}

# Vocabularies to publish in addition to robots.txt and robots2.txt. What each can express: docs/reference/policy-file.md
publish: { ${[...vocabularyOptions, 'llmsTxt'].map((option) => `${option}: true`).join(', ')} }
`;
}

const askText = `
# Decisions on permission requests. Static files cannot return them: run wayleave gateway.
ask:
  train: { decision: deny }
  # train: { decision: allow, scopes: ["/blog/*"], agents: ["ExampleBot"] }
  # A name is verified where its operator publishes addresses, and trusted otherwise. See: wayleave agents NAME
`;

const somText = `
# Pages as SOM, with fewer tokens: in files beside them, and at /v1/som of the gateway (announced by publish --gateway).
som: { scope: main-content }
`;

const noSomText = `
# Pages as SOM, with fewer tokens: in files beside them, and at /v1/som of the gateway.
# som: { scope: main-content }
`;

function quoted(text: string): string {
	return stringify(text).trimEnd();
}

function list(values: readonly string[]): string {
	return `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
}
