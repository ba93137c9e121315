// What a thread loads, it loads once more: not the whole of io.
import { answerTasks } from '@wayleave/io/thread';
import { readPage } from './read-page.ts';

answerTasks(readPage);
