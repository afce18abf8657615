package io.carillon.it.telemetry;

import io.carillon.lab.process.ChildProcess;
import io.carillon.lab.process.Json;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A running Jaeger with its memory as the store, and its query API. Owner: one thread. */
final class Jaeger implements AutoCloseable {
    private static final long START_SECONDS = 30;
    private static final long END_SECONDS = 5;

    private final ChildProcess process;
    private final int query;
    private final int otlp;
    private final HttpClient client = HttpClient.newHttpClient();

    private Jaeger(ChildProcess process, int query, int otlp) {
        this.process = process;
        this.query = query;
        this.otlp = otlp;
    }

    /** Where the program is: as asked for, on the path, or where Go installs; null: nowhere. */
    static @Nullable Path find(String asked) {
        List<Path> places = new ArrayList<>();
        if (!asked.isEmpty()) {
            places.add(Path.of(asked));
        } else {
            for (String folder : String.valueOf(System.getenv("PATH")).split(":")) {
                places.add(Path.of(folder, "jaeger-all-in-one"));
            }
            places.add(Path.of(System.getProperty("user.home"), "go/bin/jaeger-all-in-one"));
            places.add(Path.of("/usr/local/bin/jaeger-all-in-one"));
        }
        return places.stream().filter(Files::isExecutable).findFirst().orElse(null);
    }

    static Jaeger start(Path program, Path folder) throws IOException {
        int query = ServerProcess.freePort();
        int otlp = ServerProcess.freePort();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                program.toString(),
                                "--collector.otlp.enabled=true",
                                at("--collector.otlp.http.host-port", otlp),
                                at("--query.http-server.host-port", query)));
        for (String other :
                List.of(
                        "--collector.otlp.grpc.host-port",
                        "--query.grpc-server.host-port",
                        "--collector.grpc-server.host-port",
                        "--collector.http-server.host-port",
                        "--admin.http.host-port")) {
            command.add(at(other, ServerProcess.freePort()));
        }
        ChildProcess process =
                ChildProcess.start(
                        "Jaeger", "", command, folder.resolve("jaeger.log"), END_SECONDS);
        Jaeger jaeger = new Jaeger(process, query, otlp);
        try {
            jaeger.awaitReady();
            return jaeger;
        } catch (IOException e) {
            process.close();
            throw e;
        }
    }

    private static String at(String option, int port) {
        return option + "=127.0.0.1:" + port;
    }

    private void awaitReady() throws IOException {
        long deadline = System.nanoTime() + START_SECONDS * 1_000_000_000L;
        while (true) {
            try {
                ask("/api/services");
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                    throw new IOException("Jaeger did not start: " + process.lastWords(), e);
                }
                Pause.millis(200);
            }
        }
    }

    /** Where it takes traces by OTLP over HTTP. */
    String endpoint() {
        return "http://127.0.0.1:" + otlp + "/v1/traces";
    }

    /** The traces of a service, as its query API has them. */
    List<TraceView> traces(String service) throws IOException {
        List<TraceView> all = new ArrayList<>();
        for (JsonNode trace : ask("/api/traces?limit=1000&service=" + service).path("data")) {
            all.add(TraceView.of(trace));
        }
        return all;
    }

    /** The same, once there are so many. */
    List<TraceView> await(String service, int traces, long seconds) throws IOException {
        long deadline = System.nanoTime() + seconds * 1_000_000_000L;
        List<TraceView> found = traces(service);
        while (found.size() < traces && System.nanoTime() - deadline < 0) {
            Pause.millis(300);
            found = traces(service);
        }
        return found;
    }

    private JsonNode ask(String path) throws IOException {
        try {
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + query + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("Jaeger said " + answer.statusCode() + " to " + path);
            }
            return Json.LINES.readTree(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() throws IOException {
        process.close();
        client.close();
    }
}
