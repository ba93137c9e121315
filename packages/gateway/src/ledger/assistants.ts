/** Hosts of assistants that link to the pages they answer from, with the name of each for people. */
export const assistantHosts: Readonly<Record<string, string>> = {
	'chatgpt.com': 'ChatGPT',
	'chat.openai.com': 'ChatGPT',
	'perplexity.ai': 'Perplexity',
	'gemini.google.com': 'Gemini',
	'bard.google.com': 'Gemini',
	'notebooklm.google.com': 'NotebookLM',
	'copilot.microsoft.com': 'Copilot',
	'copilot.cloud.microsoft': 'Copilot',
	'edgeservices.bing.com': 'Copilot',
	'claude.ai': 'Claude',
	'chat.mistral.ai': 'Le Chat',
	'chat.deepseek.com': 'DeepSeek',
	'grok.com': 'Grok',
	'meta.ai': 'Meta AI',
	'you.com': 'You.com',
	'phind.com': 'Phind',
	'poe.com': 'Poe',
	'duck.ai': 'Duck.ai',
	'kimi.com': 'Kimi',
	'kimi.moonshot.cn': 'Kimi',
	'chat.qwen.ai': 'Qwen',
	'doubao.com': 'Doubao',
	'yuanbao.tencent.com': 'Yuanbao',
	'iask.ai': 'iAsk',
	'andisearch.com': 'Andi',
	'komo.ai': 'Komo',
	'consensus.app': 'Consensus',
	'felo.ai': 'Felo',
	'genspark.ai': 'Genspark',
};

/** The assistant at a host, with or without `www.`. */
export function assistantAt(host: string): string | undefined {
	const name = host.toLowerCase().replace(/^www\./, '');
	return Object.hasOwn(assistantHosts, name) ? assistantHosts[name] : undefined;
}
