package io.carillon.grid.store;

import org.infinispan.AdvancedCache;
import org.infinispan.commands.VisitableCommand;
import org.infinispan.commands.write.PutKeyValueCommand;
import org.infinispan.context.InvocationContext;
import org.infinispan.context.impl.FlagBitSets;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.interceptors.BaseAsyncInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Stores the records that this node is given when copies move: at once, where Infinispan would run
 * a command with locks for each. When a node dies, that is thousands of them in the very seconds in
 * which its calls go on here. Nothing has to be kept apart: a state that was written meanwhile is a
 * later one, and a removal is a value.
 */
final class CopiesThatCome extends BaseAsyncInterceptor {
    private static final long GIVEN =
            FlagBitSets.PUT_FOR_STATE_TRANSFER | FlagBitSets.CACHE_MODE_LOCAL;

    private final NodeMemory memory;

    private CopiesThatCome(NodeMemory memory) {
        this.memory = memory;
    }

    /** From now on, for that cache. */
    static void take(AdvancedCache<?, ?> cache, NodeMemory memory) {
        ComponentRegistry.of(cache)
                .getInterceptorChain()
                .running()
                .addInterceptor(new CopiesThatCome(memory), 0);
    }

    @Override
    public @Nullable Object visitCommand(InvocationContext context, VisitableCommand command) {
        if (command instanceof PutKeyValueCommand put && put.hasAllFlags(GIVEN)) {
            byte[] value = Stored.bytes(put.getValue());
            if (value != null
                    && put.getKey() instanceof String key
                    && memory.store(put.getSegment(), key, Change.KEEP_LATER, value)) {
                return null;
            }
        }
        return invokeNext(context, command);
    }
}
