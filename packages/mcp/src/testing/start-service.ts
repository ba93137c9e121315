import type { ServiceOptions, ServiceTools } from '@wayleave/service';
import { startService as start, type TestService } from '../../../service/src/testing/start-service.ts';
import { mcpModule } from '../http/route-module.ts';

export { type TestService, testSites } from '../../../service/src/testing/start-service.ts';

/** A service on the loopback with the MCP endpoint. */
export function startService(options: ServiceOptions = {}, tools: ServiceTools = {}): Promise<TestService> {
	return start(options, { ...tools, modules: [mcpModule] });
}
