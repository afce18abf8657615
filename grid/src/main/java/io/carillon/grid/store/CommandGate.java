package io.carillon.grid.store;

import java.util.ArrayList;
import java.util.List;
import org.infinispan.AdvancedCache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.functional.ReadWriteManyEntriesCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Stands before all commands of Infinispan's on this node, whoever sent them.
 *
 * <p>Records that this node is given when copies move are stored at once, where Infinispan would
 * run a command for each. When a node dies, that is thousands of them in the very seconds in which
 * its calls go on here. Nothing has to be kept apart: a state that was written meanwhile is a later
 * one, and a removal is a value.
 *
 * <p>Keys that a batch writes are left to it until it ends ({@link NodeMemory}).
 */
final class CommandGate extends BaseAsyncInterceptor {
    private static final long GIVEN =
            FlagBitSets.PUT_FOR_STATE_TRANSFER | FlagBitSets.CACHE_MODE_LOCAL;

    private final NodeMemory memory;

    private CommandGate(NodeMemory memory) {
        this.memory = memory;
    }

    /** From now on, for that cache. */
    static void take(AdvancedCache<?, ?> cache, NodeMemory memory) {
        ComponentRegistry.of(cache)
                .getInterceptorChain()
                .running()
                .addInterceptor(new CommandGate(memory), 0);
    }

    @Override
    public @Nullable Object visitCommand(InvocationContext context, VisitableCommand command) {
        if (command instanceof PutKeyValueCommand put && put.hasAllFlags(GIVEN)) {
            byte[] value = Stored.bytes(put.getValue());
            if (value != null
                    && put.getKey() instanceof String key
                    && memory.given(put.getSegment(), key, value)) {
                return null;
            }
        }
        if (command instanceof ReadWriteManyEntriesCommand<?, ?, ?, ?> batch) {
            List<String> keys = new ArrayList<>();
            batch.getAffectedKeys().forEach(key -> keys.add((String) key));
            memory.begins(keys);
            return invokeNextAndFinally(
                    context, command, (same, ended, result, failure) -> memory.ended(keys));
        }
        return invokeNext(context, command);
    }
}
