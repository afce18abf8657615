package io.carillon.grid.process;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Prints the figures of decision 25: {@code -Dcarillon.grid.figures="kill 4"} or {@code load}. */
@EnabledIfSystemProperty(named = "carillon.grid.figures", matches = ".+")
class GridFiguresTest {
    @Test
    void figures() throws Exception {
        GridFigures.main(System.getProperty("carillon.grid.figures").split(" "));
    }
}
