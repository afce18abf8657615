package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import io.carillon.lab.peers.Contenders;
import io.carillon.lab.peers.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a comparison was asked for: stored beside its rows, so that it can go on after a stop.
 *
 * @param servers names; the first one is measured against each other one
 * @param baseline folder of another checkout that is measured too; empty: none
 * @param machine what it runs on, in a sentence
 */
record ComparisonPlan(
        List<String> servers,
        String baseline,
        Site site,
        LoadShape shape,
        DisturbanceLimits limits,
        String machine) {

    AfterReady when() {
        return AfterReady.of(site);
    }

    ComparisonSetup trial() {
        return new ComparisonSetup(site, shape);
    }

    /**
     * The servers, seen to be able to do what was asked for.
     *
     * @throws IllegalArgumentException in a sentence, where one cannot
     */
    List<Contender> contenders() {
        List<Contender> contenders = new ArrayList<>(Contenders.named(servers));
        if (!baseline.isEmpty()) {
            contenders.add(Contenders.baseline(Path.of(baseline)));
        }
        Contenders.check(contenders, site);
        AsShipped.check(site, System.getenv());
        when().check(shape);
        return contenders;
    }
}
