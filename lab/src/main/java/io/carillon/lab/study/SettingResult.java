package io.carillon.lab.study;

import io.carillon.lab.rig.RateProbe;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came out for one setting; stored as JSON when the setting is done.
 *
 * @param name the setting
 * @param options all JVM options of the server
 * @param failure why it could not be measured; empty when it was
 * @param probes the search's trials
 * @param holds rates that were held, in their order; the last one is that of the figures
 * @param rate highest rate that was held clean, calls per second; 0: none
 * @param limitedByLoad the load, not the server, ended the search: the true rate is higher
 * @param figures of the last hold; null when it was not reached
 * @param series of the last hold
 */
public record SettingResult(
        String name,
        List<String> options,
        String failure,
        List<RateProbe> probes,
        List<RateProbe> holds,
        int rate,
        boolean limitedByLoad,
        @Nullable HoldFigures figures,
        SecondSeries series) {
    static SettingResult failed(String name, List<String> options, String failure) {
        return new SettingResult(
                name, options, failure, List.of(), List.of(), 0, false, null, SecondSeries.empty());
    }
}
