import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';

/**
 * What the service is measured by: Fastify with the service's options in a process of its own, which reads a JSON body
 * and sends it back.
 */
const app = Fastify({ logger: false, bodyLimit: Number.MAX_SAFE_INTEGER, keepAliveTimeout: 75_000 });
app.post('/echo', async (request) => request.body);
await app.listen({ port: 0, host: '127.0.0.1' });
process.send!((app.server.address() as AddressInfo).port);
process.once('disconnect', () => process.exit(0));
