package io.carillon.server.cli;

import io.carillon.server.calls.CallDetail;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** {@code carillon call}: everything of one call. */
@Command(
        name = "call",
        description = "Shows everything of one call, but no values that applications keep.",
        mixinStandardHelpOptions = true)
final class CallCommand extends ControlQuestion {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Parameters(paramLabel = "ID", description = "As ./carillon calls lists it, or a Call-ID.")
    private String id = "";

    CallCommand() {
        super("call");
    }

    @Override
    String argument() {
        return id;
    }

    @Override
    void print(String answer, PrintWriter out) {
        List<CallDetail> calls = JSON.readValue(answer, new TypeReference<>() {});
        calls.forEach(call -> print(call, out));
    }

    private static void print(CallDetail call, PrintWriter out) {
        out.println("Call " + call.id());
        row(out, "application", call.application() + " version " + call.version());
        row(out, "node", call.node() + ", shard " + call.shard());
        row(out, "age", CallsCommand.duration(call.ageSeconds()));
        Long expires = call.expiresInSeconds();
        row(out, "expires in", expires == null ? "never" : CallsCommand.duration(expires));
        if (call.key() != null) {
            row(out, "key", call.key());
        }
        CallDetail.Cluster cluster = call.cluster();
        if (cluster != null) {
            print(cluster, out);
        }
        attributes(out, call.attributes());
        for (CallDetail.Timer timer : call.timers()) {
            row(
                    out,
                    "timer",
                    timer.id()
                            + " in "
                            + String.format(Locale.ROOT, "%.1f s", timer.dueInMillis() / 1000.0)
                            + (timer.persistent() ? ", persistent" : "")
                            + (timer.info() == null ? "" : ", with a " + timer.info()));
        }
        call.sessions().forEach(session -> print(session, out));
    }

    private static void print(CallDetail.Cluster cluster, PrintWriter out) {
        row(
                out,
                "owner",
                member(cluster.owner(), cluster.node())
                        + ", partition "
                        + cluster.partition()
                        + " in term "
                        + cluster.term());
        row(out, "next", member(cluster.next(), cluster.node()));
        Long age = cluster.recordAgeMillis();
        row(
                out,
                "record",
                age == null ? "none on two nodes yet" : "on two nodes, since " + millis(age));
        String why = cluster.unprotected();
        row(out, "protected", why == null ? "yes" : "NO: " + why);
        cluster.leftOut().forEach(lost -> row(out, "not kept", lost));
        if (cluster.waiting() > 0) {
            row(out, "waits", cluster.waiting() + " messages wait for the record");
        }
        CallDetail.TakenOver before = cluster.takenOver();
        if (before != null) {
            row(
                    out,
                    "taken over",
                    (before.from() < 0 ? "" : "from member " + before.from() + " ")
                            + "in term "
                            + before.term()
                            + (before.recordAgeMillis() < 0
                                    ? ""
                                    : ", its record was "
                                            + millis(before.recordAgeMillis())
                                            + " old"));
        }
    }

    private static String member(int number, int here) {
        return number < 0
                ? "nobody now"
                : "member " + number + (number == here ? " (which says this)" : "");
    }

    private static String millis(long millis) {
        return millis < 10_000 ? millis + " ms" : CallsCommand.duration(millis / 1000);
    }

    private static void print(CallDetail.Session session, PrintWriter out) {
        out.println("  Session " + session.id() + ": " + session.role() + ", " + session.state());
        row(out, "Call-ID", session.callId());
        row(out, "local", session.local());
        row(out, "remote", session.remote());
        row(out, "servlet", session.handler() + ", region " + session.routing());
        if (session.linked() != null) {
            row(out, "linked with", session.linked());
        }
        CallDetail.Leg dialog = session.dialog();
        if (dialog != null) {
            row(
                    out,
                    "dialog",
                    dialog.state()
                            + (dialog.secure() ? ", secure" : "")
                            + ", tags "
                            + dialog.localTag()
                            + " and "
                            + dialog.remoteTag());
            row(
                    out,
                    "CSeq",
                    "ours "
                            + dialog.localCSeq()
                            + (dialog.remoteCSeq() < 0
                                    ? ", the peer has sent none"
                                    : ", the peer's " + dialog.remoteCSeq()));
            row(out, "target", dialog.remoteTarget());
            dialog.routes().forEach(route -> row(out, "route", route));
        }
        attributes(out, session.attributes());
        session.open().forEach(open -> row(out, "waits", open));
    }

    private static void attributes(PrintWriter out, List<CallDetail.Attribute> attributes) {
        for (CallDetail.Attribute attribute : attributes) {
            row(out, "attribute", attribute.name() + " (" + attribute.type() + ")");
        }
    }

    private static void row(PrintWriter out, String name, String value) {
        out.printf(Locale.ROOT, "    %-12s %s%n", name, value);
    }
}
