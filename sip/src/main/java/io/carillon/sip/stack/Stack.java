package io.carillon.sip.stack;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.server.RequestIntake;
import io.carillon.sip.server.ServerTransactions;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.RandomSource;

/** Puts the stack of a shard together: what comes in, what goes out, and who is told. */
public final class Stack {
    private Stack() {}

    /**
     * Makes a shard.
     *
     * @param index 0 to {@code ShardToken.MAX_SHARDS} - 1
     * @param user told of what comes
     * @param startNanos the time now, of the executor's clock
     */
    public static Shard shard(
            int index,
            StackConfig config,
            ShardExecutor executor,
            Wire wire,
            StackUser user,
            RandomSource random,
            long startNanos) {
        return new Shard(
                index,
                config,
                executor,
                wire,
                user,
                (shard, core) -> new RequestIntake(new ServerTransactions(shard, core, user)),
                random,
                startNanos);
    }
}
