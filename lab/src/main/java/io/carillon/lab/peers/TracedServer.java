package io.carillon.lab.peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Carillon that follows its calls for traces and sends those of 1 % to a collector: one of this
 * process, that throws them away and ends with it.
 *
 * @param server without them
 */
record TracedServer(CarillonServer server) implements Contender {
    @Override
    public String name() {
        return server.name();
    }

    @Override
    public String description() {
        return server.description();
    }

    @Override
    public Set<Transport> transports() {
        return server.transports();
    }

    @Override
    public String objection(Site site) {
        return site.asShipped()
                ? name() + " is not as shipped: --as-shipped goes with " + Contenders.CARILLON
                : server.objection(site);
    }

    @Override
    public ServerProcess.Launch launch(Site site, Path folder) throws IOException {
        ServerProcess.Launch plain = server.launch(site, folder);
        Map<String, String> environment = new HashMap<>(plain.environment());
        environment.put("CARILLON_TELEMETRY_TRACES_OTLP", collector());
        environment.put("CARILLON_TELEMETRY_TRACES_SAMPLE", "1 %");
        return new ServerProcess.Launch(
                plain.name(),
                plain.port(),
                plain.command(),
                environment,
                plain.signs(),
                plain.faults());
    }

    /** Starts one; its URL. */
    private static String collector() throws IOException {
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 16);
        http.createContext("/", TracedServer::take);
        http.setExecutor(task -> Thread.ofPlatform().daemon().name("collector").start(task));
        http.start();
        return "http://127.0.0.1:" + http.getAddress().getPort() + "/v1/traces";
    }

    private static void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
        }
    }
}
