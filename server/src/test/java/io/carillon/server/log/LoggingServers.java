package io.carillon.server.log;

import io.carillon.net.loop.LoopLink;
import io.carillon.net.loop.LoopNetwork;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.LateStackUser;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;

/** Servers on a network in memory whose applications log, and their lines as JSON on paper. */
final class LoggingServers implements AutoCloseable {
    private static final int FIRST = 11;

    final LoopNetwork network = new LoopNetwork(LoopLink.PERFECT, 1);
    final Paper paper;

    private final Configuration configuration = LoggerContext.getContext(false).getConfiguration();
    private final List<String> loggers = new ArrayList<>();
    private final List<Runnable> open = new ArrayList<>();
    private final List<InetSocketAddress> addresses = new ArrayList<>();

    LoggingServers() {
        paper = new Paper(configuration);
        JulLines.begin();
        LineLayout.json(true);
        paper.start();
        toPaper(LoggingServlet.LOGGER);
    }

    private void toPaper(String logger) {
        LoggerConfig lines = new LoggerConfig(logger, Level.INFO, false);
        lines.addAppender(paper, null, null);
        configuration.addLogger(logger, lines);
        loggers.add(logger);
        LoggerContext.getContext(false).updateLoggers();
    }

    static InetSocketAddress at(int last) throws Exception {
        return new InetSocketAddress(
                InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last}), 5060);
    }

    /** Another one, with three shards. */
    LoggingServers add(String application, ExecutionMode mode) throws Exception {
        InetSocketAddress address = at(FIRST + addresses.size());
        addresses.add(address);
        LateStackUser users = new LateStackUser();
        List<Shard> shards =
                network.join(
                        address,
                        3,
                        (index, executor, wire, start) ->
                                Stack.shard(
                                        index,
                                        StackConfig.DEFAULT,
                                        executor,
                                        wire,
                                        users,
                                        RandomSource.secure(),
                                        start));
        ApplicationThreads threads = ApplicationThreads.virtual();
        String uri = "sip:" + address.getAddress().getHostAddress() + ":5060";
        SipContainer container =
                new SipContainer(
                        ContainerConfig.defaults().withListeningPoints(List.of(uri)),
                        threads,
                        SessionStores.inMemory());
        users.forwardTo(container);
        container.settings().applicationLog(0);
        container.features().handlerLoads().settings(false, 1, 1); // on a machine that is busy
        container.start(shards);
        toPaper("io.carillon.application." + application);
        LoggingServlet servlet = new LoggingServlet(application);
        container.deploy(
                ApplicationDescription.builder(application)
                        .servlet("main", () -> servlet)
                        .listener(servlet)
                        .execution(mode)
                        .build());
        open.add(threads::close);
        open.add(container::close);
        open.add(servlet::close);
        return this;
    }

    LoggingCaller caller() throws Exception {
        return new LoggingCaller(network, at(2), addresses);
    }

    @Override
    public void close() {
        open.reversed().forEach(Runnable::run);
        network.close();
        LineLayout.json(false);
        loggers.forEach(configuration::removeLogger);
        LoggerContext.getContext(false).updateLoggers();
    }
}
