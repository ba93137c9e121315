import { answerTasks } from '@wayleave/io/thread';

answerTasks(() => process.exit(1));
