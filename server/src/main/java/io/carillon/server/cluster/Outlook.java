package io.carillon.server.cluster;

/** Is the cluster ready for the loss of a node? As this one knows it. Any thread. */
final class Outlook {
    private final CopiesWatch copies = new CopiesWatch();

    /** So many partitions have one copy only now. */
    void look(int partitions, long nowNanos) {
        copies.look(partitions, nowNanos);
    }

    ClusterView.OutlookView view(long nowNanos, NodeCalls mine) {
        CopiesWatch.Seen seen = copies.seen(nowNanos);
        OneFewer fewer = OneFewer.of(mine.heard());
        return new ClusterView.OutlookView(
                seen.forMillis(),
                seen.inMillis(),
                seen.lastMillis(),
                fewer.percent(),
                fewer.carried(),
                mine.lacking());
    }
}
