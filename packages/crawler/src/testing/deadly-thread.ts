import { serveTasks } from '@wayleave/io/threads';

serveTasks(() => process.exit(1));
