// For packages that add routes to the service.
export { tellOutside } from '../problems/outside.ts';
export { guardOrigin } from './guard-origin.ts';
export { jsonBody } from './json-body.ts';
export { createRoutes, type RouteModule, type Routes, type ServiceDeps } from './route-module.ts';
