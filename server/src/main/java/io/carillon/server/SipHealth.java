package io.carillon.server;

import io.carillon.net.Network;
import io.carillon.server.data.Database;
import io.carillon.server.health.HealthSource;
import io.carillon.sip.shard.Shard;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the SIP side says of its health. Any thread.
 *
 * @param network with the listening points and the loops
 * @param database that applications may need
 */
record SipHealth(Network network, Database database) implements HealthSource {
    @Override
    public int listeningPoints() {
        return network.listening().size() + (network.link() == null ? 0 : 1);
    }

    @Override
    public int loops() {
        return network.shards().size();
    }

    @Override
    public void pulse(IntConsumer answered) {
        List<Shard> shards = network.shards();
        for (int i = 0; i < shards.size(); i++) {
            int loop = i;
            shards.get(i).executor().execute(() -> answered.accept(loop));
        }
    }

    @Override
    public @Nullable String databaseFailure() {
        return database.failure();
    }

    @Override
    public void tryDatabase() {
        database.tryAgain();
    }
}
