// What a thread loads, it loads once more: not the whole of io.
import { answerTasks } from '@wayleave/io/thread';
import { readManifest } from './read-manifest.ts';

answerTasks(readManifest);
