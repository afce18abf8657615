package io.carillon.servlet.port;

import io.carillon.sip.guard.Shares;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Which part of the application sessions one source may hold, and which part all visitors of pages
 * together: so that neither a caller whose calls never end nor visitors without a cookie leave no
 * room for others. A source's share is a part of what others leave. Shares bind only while more
 * than half of the room is taken.
 *
 * <p>Each session keeps its share as an int, by which it is given back when the session ends. Any
 * thread.
 */
public final class SessionShares {
    /**
     * Of a session that counts for nobody: an application made it of its own, or for a peer we
     * trust.
     */
    public static final int NONE = Shares.NONE;

    /** No source: unknown, or not asked for. {@link SourceKey}s are never 0. */
    public static final long NOBODY = 0;

    /** Marks the share of a visitor; {@link Shares} uses the bits below. */
    private static final int PAGE = 1 << 31;

    /** Applications that a call passes, as a rule fewer. */
    private static final int CHAIN = 16;

    private final Sources known;
    private final Shares sources;
    private final int sharePerSource;
    private final int shareOfPages;
    private volatile int mostOfPages;

    /** What a call has at least for its further applications, so that it gets through. */
    private volatile int leastOfPassage;

    private final AtomicInteger pages = new AtomicInteger();

    /** Who was refused last, for the log; {@link #NOBODY} before. */
    private volatile long refused = NOBODY;

    /**
     * @param all application sessions that may be
     * @param sharePerSource of them that one source may hold; 100 for no limit
     * @param shareOfPages of them that all visitors of pages may hold; 100 for no limit
     * @param known where each source is counted; those without a limit are not
     */
    public SessionShares(int all, int sharePerSource, int shareOfPages, Sources known) {
        this.known = known;
        sources = new Shares(all, sharePerSource, known);
        this.sharePerSource = sharePerSource;
        this.shareOfPages = shareOfPages;
        leastOfPassage = leastOfPassage(all);
        mostOfPages = mostOfPages(all);
    }

    private int leastOfPassage(int all) {
        return Math.clamp((long) all * sharePerSource / 400, 1, CHAIN);
    }

    private int mostOfPages(int all) {
        return shareOfPages == 100
                ? Integer.MAX_VALUE
                : (int) Math.max(1, (long) all * shareOfPages / 100);
    }

    /** From now on there may be so many application sessions. */
    public void resize(int all) {
        sources.resize(all);
        leastOfPassage = leastOfPassage(all);
        mostOfPages = mostOfPages(all);
    }

    /** No limit at all. */
    public static SessionShares none(int all) {
        return new SessionShares(all, 100, 100, Sources.EXEMPT);
    }

    /** What each source may hold of so many of something else. */
    public Shares of(int all) {
        return new Shares(all, sharePerSource, known);
    }

    /** As {@link #of}, in less memory: of what few hold much of. */
    public Shares smallOf(int all) {
        return Shares.small(all, sharePerSource, known);
    }

    /** Where the source of that hop is counted; {@link #NONE} for one of our own. */
    public int place(@Nullable Hop from) {
        long source = source(from);
        return source == NOBODY ? NONE : known.place(source);
    }

    /** Where whoever has that share is counted, in other accounts too. */
    public static int place(int share) {
        return share & ~PAGE;
    }

    /** Whom a request that came by that hop counts for; {@link #NOBODY} for one of our own. */
    public static long source(@Nullable Hop from) {
        return from == null || from.internal()
                ? NOBODY
                : SourceKey.of(from.initial().remote().getAddress());
    }

    /**
     * May a caller begin another session?
     *
     * @param taken sessions now
     */
    public boolean admitsCall(@Nullable Hop from, int taken) {
        return !sources.bind(taken) || admits(source(from), taken);
    }

    /**
     * May a visitor of a page begin another session?
     *
     * @param taken sessions now
     */
    public boolean admitsPage(long source, int taken) {
        if (!sources.bind(taken)) {
            return true;
        }
        if (pages.get() >= mostOfPages) {
            refused = source;
            return false;
        }
        return admits(source, taken);
    }

    /**
     * May an application of ours begin a session for a call that it passes on? It has a quarter of
     * a share more than a call that comes in, so that what came in gets through to its last
     * application.
     *
     * @param place of who began it
     * @param taken sessions now
     */
    public boolean admitsPassage(int place, int taken) {
        if (place == NONE || sources.unlimited()) {
            return true;
        }
        int limit = sources.limit(place, taken);
        int more = Math.max(leastOfPassage, limit / 4);
        return !sources.bind(taken - more) || sources.held(place) < limit + more;
    }

    private boolean admits(long source, int taken) {
        if (source == NOBODY || !sources.full(sources.place(source), taken)) {
            return true;
        }
        refused = source;
        return false;
    }

    /** A session begins for who is counted at that place; its share, to be given back. */
    public int call(int place) {
        sources.take(place, 1);
        return place;
    }

    /** A visitor's session begins; its share, to be given back. */
    public int page(long source) {
        pages.incrementAndGet();
        return call(source == NOBODY ? NONE : known.place(source)) | PAGE;
    }

    /** A session with that share is over. */
    public void giveBack(int share) {
        if ((share & PAGE) != 0) {
            pages.decrementAndGet();
        }
        sources.giveBack(share & ~PAGE, 1);
    }

    /** Sessions of visitors now. */
    public int pages() {
        return pages.get();
    }

    /** What a source holds now. */
    public int held(long source) {
        return sources.held(sources.place(source));
    }

    /** Who was refused last, as text for people; empty when nobody was. */
    public String lastRefused() {
        long last = refused;
        return last == NOBODY ? "" : SourceKey.text(last);
    }
}
