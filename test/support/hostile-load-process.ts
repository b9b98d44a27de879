import { constants, setPriority } from 'node:os';
import { startLoad, type Target } from './hostile-load.ts';

/**
 * A hostile load in a process of its own, so that whoever measures is not held up: begins at once, ends when it is
 * told. It leaves the processor to the service, as callers on other machines do.
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
