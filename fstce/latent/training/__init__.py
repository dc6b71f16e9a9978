"""Split–merge–smooth training (Petrov et al. 2006): ``trainer`` has the cycles."""
