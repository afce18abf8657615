package io.carillon.lab.compare;

import io.carillon.lab.peers.Site;
import io.carillon.lab.process.Folders;
import io.carillon.lab.rig.SippPair;

/** A site and the load that is put on its servers. */
record ComparisonSetup(Site site, LoadShape shape) {
    /** What makes the calls. */
    Load load() {
        return Load.named(shape.load(), this);
    }

    SippPair.Load sipp(int serverPort, int rate, long calls) {
        return new SippPair.Load(
                        Folders.scenarios(),
                        "proxy200",
                        serverPort,
                        rate,
                        calls,
                        shape.holdMillis(),
                        site.cpus().load())
                .on(site.ports().above());
    }

    /** SIPp's option for the user that the calls go to; none as its scenario has it. */
    String[] sippUser() {
        String user = site.application().user();
        return user.isEmpty() ? new String[0] : new String[] {"-s", user};
    }

    /** The same load from other ports, for a second server at the same time. */
    SippPair.Load second(int serverPort, int rate, long calls) {
        return sipp(serverPort, rate, calls).on(site.ports().above() + 2);
    }
}
