package io.carillon.it.telemetry;

import io.carillon.it.example.Conversation;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** A call of each kind by SIPp at the examples, and the records that it leaves. */
final class RecordKinds {
    private static final long PATIENCE_SECONDS = 40;

    private final Path root = Folders.root();
    private final Path folder;
    private final Verdicts verdicts;
    private final RecordFolder records;
    private int seen;

    RecordKinds(Path folder, Verdicts verdicts) {
        this.folder = folder;
        this.verdicts = verdicts;
        this.records = new RecordFolder(folder.resolve("records"));
    }

    void run() throws IOException {
        Files.createDirectories(records.folder());
        Path yaml = folder.resolve("carillon.yaml");
        Files.writeString(
                yaml,
                "cdr: { file: %s, interval: 1 s }%nsecurity: { algorithms: [md5] }%ncontrol: { directory: %s }%n"
                        .formatted(records.file(), folder.resolve("control")));
        try (ServerProcess server =
                ExampleServers.routed(folder.resolve("home"), yaml).start(folder)) {
            kind(server, "B2BUA", conversation("b2bua"), "in 200 caller BYE", "out 200 caller BYE");
            kind(server, "proxy", conversation("proxy"), "in 200 caller BYE", "out 200 caller BYE");
            kind(server, "failed", only("call-blocking", 0), "in 403 server refusal");
            kind(server, "cancelled", cancelled(), "in 487 caller CANCEL", "out 487 caller CANCEL");
            kind(
                    server,
                    "forked",
                    only("call-forwarding", 3),
                    "in 200 caller BYE",
                    "out 200 caller BYE",
                    "out 486 callee refusal");
            transferred(server);
            retired(server);
        }
    }

    private Conversation conversation(String example) throws IOException {
        return Conversation.read(root, example);
    }

    private Conversation only(String example, int caller) throws IOException {
        Conversation all = conversation(example);
        return all.with(all.callees(), List.of(all.callers().get(caller)));
    }

    private Conversation cancelled() throws IOException {
        Conversation relay = conversation("b2bua");
        return relay.with(
                List.of(List.of("-sf", resource("rings.xml"), "-p", "6580")),
                List.of(
                        List.of(
                                "127.0.0.1:6580",
                                "-rsa",
                                "127.0.0.1:5060",
                                "-sf",
                                resource("gives-up.xml"),
                                "-s",
                                "b2bua",
                                "-p",
                                "6581")));
    }

    private String resource(String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in =
                Objects.requireNonNull(RecordKinds.class.getResourceAsStream(name), name)) {
            Files.write(file, in.readAllBytes());
        }
        return file.toString();
    }

    /** Runs it once; what it left since the last kind. */
    private List<JsonNode> left(
            ServerProcess server, String name, Conversation asWritten, int least)
            throws IOException {
        Conversation conversation =
                asWritten.with(
                        asWritten.callees(),
                        asWritten.callers().stream()
                                .map(words ->
                                        words.stream()
                                                .map(word ->
                                                        word.equals("127.0.0.1:5060")
                                                                ? "127.0.0.1:" + server.port()
                                                                : word)
                                                .toList())
                                .toList());
        Path logs = folder.resolve(name.replace(' ', '-'));
        List<Sipp> callees = conversation.startCallees(logs);
        try {
            Pause.millis(300);
            for (int i = 0; i < conversation.callers().size(); i++) {
                try (Sipp caller =
                        conversation.startCaller(i, logs, server.port(), List.of("-m", "1"))) {
                    caller.await(PATIENCE_SECONDS);
                }
            }
        } finally {
            for (Sipp callee : callees) {
                callee.close();
            }
        }
        List<JsonNode> all = records.after(seen, least, PATIENCE_SECONDS);
        seen += all.size();
        return all;
    }

    private void kind(
            ServerProcess server, String name, Conversation conversation, String... expected)
            throws IOException {
        List<JsonNode> all = left(server, name, conversation, expected.length);
        List<String> rows = all.stream().map(RecordKinds::row).sorted().toList();
        all.forEach(record -> System.out.println("  " + name + ": " + line(record)));
        verdicts.check(name + ": " + String.join("; ", expected), rows.equals(List.of(expected)));
        verdicts.check(name + ": its legs are one call", oneCall(all));
    }

    private static boolean oneCall(List<JsonNode> records) {
        return records.stream().map(one -> one.path("call").asString()).distinct().count() == 1;
    }

    private void transferred(ServerProcess server) throws IOException {
        List<JsonNode> all = left(server, "transferred", conversation("transfer"), 3);
        List<String> linked = new ArrayList<>();
        for (JsonNode record : all) {
            System.out.println("  transferred: " + line(record));
            for (String field : List.of("referTo", "transferOf", "replaces")) {
                if (record.has(field)) {
                    linked.add(field);
                }
            }
        }
        verdicts.check(
                "transferred: the REFER and where it led to are linked (" + linked + ")",
                linked.contains("referTo"));
        verdicts.check("transferred: its three legs are one call", all.size() == 3 && oneCall(all));
    }

    /** The old version ends its call while a new one has the next. */
    private void retired(ServerProcess server) throws IOException {
        Path logs = folder.resolve("retired");
        try (Sipp callee =
                        Sipp.start(
                                logs.resolve("callee"),
                                List.of(
                                        "-sf",
                                        root.resolve("lab/scenarios/proxy200-uas.xml").toString(),
                                        "-p",
                                        "6580"));
                Sipp caller =
                        Sipp.start(
                                logs.resolve("caller"),
                                List.of(
                                        "127.0.0.1:6580",
                                        "-rsa",
                                        "127.0.0.1:" + server.port(),
                                        "-sf",
                                        root.resolve("examples/b2bua/sipp/caller.xml").toString(),
                                        "-s",
                                        "b2bua",
                                        "-p",
                                        "6581",
                                        "-d",
                                        "8000",
                                        "-m",
                                        "1"))) {
            Pause.millis(1_000);
            ControlCommand.run(
                    server,
                    "deploy",
                    Folders.example(root, "b2bua").toString(),
                    "--config",
                    folder.resolve("carillon.yaml").toString());
            caller.await(PATIENCE_SECONDS);
            verdicts.check("retired: SIPp's callee is alive", callee.cpuNanos() >= 0);
        }
        List<JsonNode> all = records.after(seen, 2, PATIENCE_SECONDS);
        seen += all.size();
        all.forEach(record -> System.out.println("  retired version: " + line(record)));
        verdicts.check(
                "retired version: both legs say version 1",
                all.size() == 2 && all.stream().allMatch(one -> one.path("version").asInt() == 1));
        List<JsonNode> next = left(server, "new version", conversation("b2bua"), 2);
        verdicts.check(
                "new version: both legs say version 2",
                next.size() == 2
                        && next.stream().allMatch(one -> one.path("version").asInt() == 2));
    }

    private static String row(JsonNode record) {
        return record.path("direction").asString()
                + " "
                + record.path("status").asInt()
                + " "
                + record.path("endedBy").asString()
                + " "
                + record.path("endedWith").asString();
    }

    private static String line(JsonNode record) {
        return row(record)
                + ", "
                + record.path("role").asString()
                + " "
                + record.path("application").asString()
                + "/"
                + record.path("version").asInt()
                + (record.has("talkSeconds")
                        ? ", talk " + record.path("talkSeconds").asDouble() + " s"
                        : "");
    }
}
