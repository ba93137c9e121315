export { readDashboardFiles } from '../../shared/dashboard-files.ts';
