package io.carillon.server.api;

import io.carillon.server.access.Role;
import io.carillon.server.apps.ApplicationStatus;
import io.carillon.server.apps.DevelopmentReport;
import io.carillon.server.apps.Registrations;
import io.carillon.servlet.feature.compose.RouteReport;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** Operations about applications and the way to them. */
final class ApplicationOperations {
    private static final String APPLICATIONS = "applications";
    private static final String ROUTES = "routes";
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
    private static final String ANONYMOUS = "sip:anonymous@anonymous.invalid";
    private static final int LONGEST_URI = 1_000;

    private final Commands commands;
    private final Uploads uploads;
    private final Registrations registrations;

    ApplicationOperations(Commands commands, Uploads uploads, Registrations registrations) {
        this.registrations = registrations;
        this.commands = commands;
        this.uploads = uploads;
    }

    /**
     * An initial request whose way is wanted: a whole one, or its parts.
     *
     * @param request the text of a request; null: it is made of the others
     * @param uri the Request-URI and To
     * @param from who sends it; null: nobody in particular
     * @param method INVITE without it
     */
    record RouteQuestion(
            @Nullable String request,
            @Nullable String uri,
            @Nullable String from,
            @Nullable String method) {}

    List<Operation> all() {
        return List.of(
                Operation.get("listApplications", "/applications")
                        .role(Role.VIEWER)
                        .about(APPLICATIONS, "Lists applications, with versions that retire.")
                        .command("applications")
                        .answersList(ApplicationStatus.class)
                        .does(call -> ApiAnswer.json(commands.ask(call, "applications", ""))),
                deploy(),
                development(),
                registered(),
                Operation.delete("undeploy", "/applications/{name}")
                        .role(Role.DEPLOYER)
                        .about(APPLICATIONS, "Takes an application out of service.")
                        .command("undeploy", "undeploy-now")
                        .on("name", "The application's name.")
                        .with(Parameter.flag("now", "Its calls get BYE instead of time."))
                        .looksAt(call -> commands.look("applications", ""))
                        .does(call ->
                                ApiAnswer.message(
                                        commands.ask(
                                                call,
                                                call.flag("now") ? "undeploy-now" : "undeploy",
                                                call.text("name")))),
                Operation.post("tryRoute", "/routes/query")
                        .role(Role.VIEWER)
                        .about(ROUTES, "Which applications a request would visit; nothing is sent.")
                        .command("route")
                        .takes(RouteQuestion.class)
                        .answers(RouteReport.class)
                        .onlyLooks()
                        .does(call ->
                                ApiAnswer.json(
                                        commands.ask(
                                                call,
                                                "route",
                                                base64(call.body(RouteQuestion.class))))),
                Operation.post("reloadRoutes", "/routes/reload")
                        .role(Role.OPERATOR)
                        .about(ROUTES, "Reads the router's file again.")
                        .command("router-reload")
                        .does(call -> ApiAnswer.message(commands.ask(call, "router-reload", ""))));
    }

    private Operation development() {
        return Operation.get("getDevelopment", "/development")
                .role(Role.VIEWER)
                .about(APPLICATIONS, "What carillon watch said last of the version that it made.")
                .command("development")
                .answers(DevelopmentReport.class)
                .does(call -> ApiAnswer.json(commands.ask(call, "development", "")));
    }

    private Operation registered() {
        return Operation.get("listRegistrations", "/registrations")
                .role(Role.VIEWER)
                .about(APPLICATIONS, "Lists who is registered, as registrars among them say.")
                .with(Parameter.text("text", "Anywhere in the address of record or contact."))
                .with(Parameter.number("limit", 50, 1, 1_000, "At most so many."))
                .with(Parameter.text("after", "The member next of the page before.", 2_000))
                .answers(Registrations.Page.class)
                .heavy()
                .does(call -> {
                    try {
                        return ApiAnswer.of(
                                registrations.list(
                                        call.text("text"),
                                        call.count("limit"),
                                        call.text("after")));
                    } catch (Registrations.Failure e) {
                        throw new Problem(
                                HttpStatus.SERVICE_UNAVAILABLE_503,
                                String.valueOf(e.getMessage()),
                                e);
                    }
                });
    }

    private Operation deploy() {
        return Operation.post("deploy", "/applications")
                .role(Role.DEPLOYER)
                .about(
                        APPLICATIONS,
                        "Deploys an archive, or another version of it; running calls stay.")
                .command("deploy", "replace")
                .with(Parameter.text("name", "File name of the archive, with .war or .sar."))
                .with(
                        Parameter.flag(
                                "replace",
                                "In the place of another archive with the application's name."))
                .target("name")
                .takesArchive()
                .answers(ApplicationStatus.class)
                .looksAt(call -> commands.look("applications", ""))
                .does(call ->
                        ApiAnswer.json(
                                commands.ask(
                                        call,
                                        call.flag("replace") ? "replace" : "deploy",
                                        uploads.of(call).toString())));
    }

    private static String base64(RouteQuestion question) throws Problem {
        String whole = question.request();
        String text;
        if (whole != null) {
            String lines = whole.replace("\r\n", "\n");
            text =
                    (lines.contains("\n\n") ? lines : lines.stripTrailing() + "\n\n")
                            .replace("\n", "\r\n");
        } else {
            text = made(question);
        }
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String made(RouteQuestion question) throws Problem {
        String to = uri("uri", question.uri());
        String from = question.from() == null ? ANONYMOUS : uri("from", question.from());
        String method = question.method() == null ? "INVITE" : question.method();
        if (!METHOD.matcher(method).matches()) {
            throw Problem.bad("method has to be letters, as in INVITE");
        }
        return method
                + " "
                + to
                + " SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKroute\r\n"
                + "Max-Forwards: 70\r\nFrom: <"
                + from
                + ">;tag=route\r\nTo: <"
                + to
                + ">\r\nCall-ID: route@127.0.0.1\r\nCSeq: 1 "
                + method
                + "\r\nContact: <sip:127.0.0.1:5060>\r\nContent-Length: 0\r\n\r\n";
    }

    /** One line, and nothing that ends it. */
    private static String uri(String name, @Nullable String value) throws Problem {
        if (value == null
                || value.isBlank()
                || value.length() > LONGEST_URI
                || value.chars().anyMatch(c -> c <= ' ' || c == '<' || c == '>' || c == 0x7F)) {
            throw Problem.bad(name + " has to be a URI without blanks, as in sip:bob@example.com");
        }
        return value;
    }
}
