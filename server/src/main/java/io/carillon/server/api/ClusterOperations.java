package io.carillon.server.api;

import io.carillon.server.access.Role;
import io.carillon.server.cluster.CallPlace;
import io.carillon.server.cluster.ClusterView;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Operations about the cluster; 404 for a server that is in none. */
final class ClusterOperations {
    private static final String CLUSTER = "cluster";

    private final Commands commands;

    ClusterOperations(Commands commands) {
        this.commands = commands;
    }

    /**
     * A message whose place in the cluster is wanted.
     *
     * @param text of it
     */
    record MessageQuestion(String text) {}

    List<Operation> all() {
        return List.of(
                Operation.get("getCluster", "/cluster")
                        .role(Role.VIEWER)
                        .about(CLUSTER, "The cluster as this node sees it.")
                        .command("cluster")
                        .answers(ClusterView.class)
                        .does(call -> ApiAnswer.json(commands.ask(call, "cluster", ""))),
                Operation.get("whereIsCall", "/cluster/calls/{id}")
                        .role(Role.VIEWER)
                        .about(CLUSTER, "Which node has a call.")
                        .command("where-call")
                        .on("id", "A Call-ID, or the id of a call.")
                        .answers(CallPlace.class)
                        .does(call ->
                                ApiAnswer.json(
                                        commands.ask(call, "where-call", base64(call.text("id"))))),
                Operation.post("whereIsMessage", "/cluster/messages")
                        .role(Role.VIEWER)
                        .about(CLUSTER, "Which node a message belongs to.")
                        .command("where-message")
                        .takes(MessageQuestion.class)
                        .answers(CallPlace.class)
                        .onlyLooks()
                        .does(call ->
                                ApiAnswer.json(
                                        commands.ask(
                                                call,
                                                "where-message",
                                                base64(call.body(MessageQuestion.class).text())))),
                Operation.post("handOver", "/cluster/hand-over")
                        .role(Role.ADMIN)
                        .about(CLUSTER, "Stops this node; other nodes go on with its calls.")
                        .command("hand-over")
                        .does(call -> ApiAnswer.message(commands.ask(call, "hand-over", ""))));
    }

    @SuppressWarnings("ConstantValue") // what a body leaves out is null
    private static String base64(String text) throws Problem {
        if (text == null) {
            throw Problem.bad("text is missing");
        }
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
