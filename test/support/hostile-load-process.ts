import { constants, setPriority } from 'node:os';
import { startLoad, type Target } from './hostile-load.ts';

/**
 * A hostile load in its own process, so that it does not delay the measuring process. Begins at once and ends on a
 * message. It has low priority, because callers on other machines take no processor time from the service either.
 */
setPriority(constants.priority.PRIORITY_LOW);
const [target, bytes] = JSON.parse(process.argv[2]!) as [Target, number];
const load = startLoad(target, bytes);
process.once('message', () => {
  void load.stop().then(() => {
    process.send!([...load.answers]);
    process.disconnect();
  });
});
process.send!('started');
