package io.carillon.router;

import io.carillon.cluster.link.LinkCounter;
import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.Owners;
import io.carillon.net.count.NetworkCounter;
import java.util.List;
import java.util.stream.Collectors;

/** What a router tells of itself: for people, and in the text format of Prometheus. Any thread. */
public final class RouterPages {
    private final Router router;

    public RouterPages(Router router) {
        this.router = router;
    }

    /** A line for each node, and a line for each count that is not zero. */
    public String status(long nowNanos) {
        StringBuilder text = new StringBuilder();
        Owners owners = router.owners();
        text.append("SIP        ")
                .append(
                        router.listening().stream()
                                .map(Object::toString)
                                .collect(Collectors.joining(", ")))
                .append('\n');
        text.append("link       ").append(router.link()).append('\n');
        text.append("clients    ")
                .append(router.count(NetworkCounter.CONNECTIONS_OPEN))
                .append(" connections open\n");
        text.append("table      version ").append(owners.version()).append('\n');
        text.append("load       ").append(router.sheds() ? "SHEDS new work" : "takes everything");
        text.append('\n');
        for (LinkPeer node : router.nodes()) {
            text.append("node ").append(node.id()).append("     ").append(node.address());
            text.append(", ").append(router.word(node, nowNanos));
            String build = node.report().build();
            text.append(build.isEmpty() ? "" : ", build " + build);
            int perSecond = node.report().newPerSecond();
            text.append(perSecond == 0 ? "" : ", takes " + perSecond + " new a second");
            text.append(", owns ").append(owners.owned(node.id()));
            text.append(", given ").append(router.counts().toNode(node.id()));
            text.append(", got from it ").append(router.counts().fromNode(node.id()));
            text.append('\n');
        }
        for (RouterCounter counter : RouterCounter.values()) {
            line(text, router.counts().get(counter), counter.text(), counter.description());
        }
        for (LinkCounter counter : LinkCounter.values()) {
            line(text, router.count(counter), "link_" + counter.text(), counter.description());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, long count, String name, String description) {
        if (count != 0) {
            text.append(String.format("%-24s %12d  %s%n", name, count, description));
        }
    }

    /** All counts. */
    public String metrics(long nowNanos) {
        StringBuilder text = new StringBuilder();
        for (RouterCounter counter : RouterCounter.values()) {
            metric(text, "carillon_router_" + counter.text(), "counter", counter.description());
            text.append("carillon_router_").append(counter.text());
            text.append(' ').append(router.counts().get(counter)).append('\n');
        }
        for (LinkCounter counter : LinkCounter.values()) {
            metric(text, "carillon_link_" + counter.text(), "counter", counter.description());
            text.append("carillon_link_").append(counter.text());
            text.append(' ').append(router.count(counter)).append('\n');
        }
        for (NetworkCounter counter : NetworkCounter.values()) {
            String name = "carillon_net_" + counter.text();
            metric(text, name, counter.gauge() ? "gauge" : "counter", counter.description());
            text.append(name).append(' ').append(router.count(counter)).append('\n');
        }
        List<LinkPeer> nodes = router.nodes();
        ownGauge(text, "table_version", "The table that is gone by", router.owners().version());
        ownGauge(
                text,
                "kept_bytes",
                "Bytes of messages of connections that no node has taken or answered yet",
                router.counts().keptBytes());
        metric(text, "carillon_router_node_alive", "gauge", "1 for a node that lives");
        for (LinkPeer node : nodes) {
            ofNode(text, "alive", node.id(), node.alive(nowNanos) ? 1 : 0);
        }
        metric(text, "carillon_router_node_takes_new", "gauge", "1 for a node that gets new calls");
        for (LinkPeer node : nodes) {
            ofNode(text, "takes_new", node.id(), router.takesNew(node, nowNanos) ? 1 : 0);
        }
        metric(text, "carillon_router_node_limit", "gauge", "New work a second it takes; 0: any");
        for (LinkPeer node : nodes) {
            ofNode(text, "limit", node.id(), node.report().newPerSecond());
        }
        metric(
                text,
                "carillon_router_node_unanswered",
                "gauge",
                "Requests since it was heard last");
        for (LinkPeer node : nodes) {
            ofNode(text, "unanswered", node.id(), router.unanswered(node));
        }
        metric(text, "carillon_router_node_partitions", "gauge", "Partitions that a node owns");
        for (LinkPeer node : nodes) {
            ofNode(text, "partitions", node.id(), router.owners().owned(node.id()));
        }
        metric(text, "carillon_router_node_given", "counter", "Messages given to a node");
        for (LinkPeer node : nodes) {
            ofNode(text, "given", node.id(), router.counts().toNode(node.id()));
        }
        metric(text, "carillon_router_node_sent", "counter", "Messages sent for a node");
        for (LinkPeer node : nodes) {
            ofNode(text, "sent", node.id(), router.counts().fromNode(node.id()));
        }
        return text.toString();
    }

    private static void ownGauge(StringBuilder text, String name, String description, long value) {
        metric(text, "carillon_router_" + name, "gauge", description);
        text.append("carillon_router_").append(name).append(' ').append(value).append('\n');
    }

    private static void metric(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void ofNode(StringBuilder text, String name, int node, long value) {
        text.append("carillon_router_node_").append(name);
        text.append("{node=\"").append(node).append("\"} ").append(value).append('\n');
    }
}
