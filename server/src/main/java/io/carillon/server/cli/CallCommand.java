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
